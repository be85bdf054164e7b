/** What a person is told when pip could not install smelt. */
export function notInstalled(requirement: string, interpreter: string): string {
  return (
    `pip could not install ${JSON.stringify(requirement)} in ${interpreter}; its terminal says why. ` +
    "The setting smelt.package says what is installed: a name, a version, the path of a wheel, or of a folder with smelt's sources."
  );
}
