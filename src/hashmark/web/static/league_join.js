// An invitation to a league: to one team, or to any free team.
import { invited } from "./invitation.js";

invited("/api/league-invitations", (data, form) => {
  if (!data.teams.length) return [`${data.title}: all teams are taken.`, null];
  const select = form.querySelector("select");
  for (const team of data.teams) select.add(new Option(team.name, team.number));
  return [
    `${data.title} (${data.game}${data.season ? `, ${data.season}` : ""})`,
    data.teams.length > 1 ? "select" : "input[name=name]",
  ];
});
