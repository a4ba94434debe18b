/** Version of this package; the gate holds it equal to package.json. */
export const VERSION = "0.1.0";

/** For hints. The package of our name in the registry is another program: we come from a clone, or as a packed file. */
export const HOW_TO_UPDATE =
  "Use a newer babysitter; `babysitter doctor` shows where this one is from. In a clone: git pull && npm ci && npm run build";
