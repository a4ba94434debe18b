/** Version of this package; the gate holds it equal to package.json. */
export const VERSION = "0.1.0";
