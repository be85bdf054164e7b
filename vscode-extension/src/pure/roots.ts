/** Where a project is, seen from a path inside it. */

import * as path from "node:path";

const PROJECT_FILE = "smelt.yml";

/** The path itself or the nearest folder above it that holds a project file. */
export function projectFolderAbove(start: string, exists: (file: string) => boolean): string | undefined {
  for (let folder = start, before = ""; folder !== before; before = folder, folder = path.dirname(folder)) {
    if (exists(path.join(folder, PROJECT_FILE))) {
      return folder;
    }
  }
  return undefined;
}
