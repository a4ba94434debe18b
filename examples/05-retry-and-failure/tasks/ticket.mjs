import { existsSync } from "node:fs";
import path from "node:path";

export default function ticket() {
  const file = path.join(process.env.BABYSITTER_RUN_DIR, "artifacts", "ticket.txt");
  if (!existsSync(file)) throw new Error(`There is no ticket. Buy one: touch "${file}"`);
  return { seat: "by the window" };
}
