// An invitation to a seat at a table: who asks, and which side is free.
import { capital, invited } from "./invitation.js";

invited("/api/invitations", (data) => {
  const host = Object.keys(data.names).find((team) => team !== data.team);
  const own = capital(data.names[data.team]);
  const isHosted = data.seats[host].who === "human" && !data.seats[host].free;
  const invitation = isHosted ? `The player of ${capital(data.names[host])} invites you to ${data.title}` : data.title;
  return [`${invitation}: you play as ${own}, the ${data.team} team.`, "button"];
});
