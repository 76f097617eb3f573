type Lock = {
  packages?: Record<
    string,
    { version?: string; link?: boolean; optional?: boolean; os?: string[]; cpu?: string[] }
  >
}

/** Something outside the code stops us; the message is the whole story and needs no stack. */
export class Unusable extends Error {}
/** Installs if needed and returns the absolute path of the Node that everything else runs on. */
export function ensureInstalled(root: string): string
/** Whether what npm says it installed is what the lock file asks for. */
export function installedMatches(wanted: Lock, installed: Lock | undefined): boolean
