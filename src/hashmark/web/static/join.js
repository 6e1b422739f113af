// An invitation to a seat at a table.
import { capital, invited } from "./invitation.js";

invited("/api/invitations", (data) => [
  `${data.title} – you play as ${capital(data.names[data.team])}.`,
  "button",
]);
