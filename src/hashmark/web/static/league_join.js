// An invitation to a league: to one team, or to whichever is free.
import { invited } from "./invitation.js";

invited("/api/league-invitations", (told, form) => {
  if (!told.teams.length) return [`${told.title}: all teams are taken.`, null];
  const select = form.querySelector("select");
  for (const team of told.teams) select.add(new Option(team.name, team.number));
  return [
    `${told.title}, a league of ${told.game}${told.season ? `, ${told.season}` : ""}.`,
    told.teams.length > 1 ? "select" : "input[name=name]",
  ];
});
