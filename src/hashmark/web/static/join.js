// An invitation to a seat at a table.
import { capital, invited } from "./invitation.js";

invited("/api/invitations", (told) => [
  `${told.title}: you play ${capital(told.names[told.team])}.`,
  "button",
]);
