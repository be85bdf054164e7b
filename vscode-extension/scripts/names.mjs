/** Where the package is written, from the extension's folder. */
export const VSIX = "out/smelt.vsix";
/** The package must stay below this, in bytes. */
export const MOST = 300_000;
