/**
 * Names of the server's secrets in the built web apps. A bundle that names a secret was built with code or
 * values of the server.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { VARIABLES } from '@duet/server/config.ts'
import { secretNames } from '@duet/server/lib/configuration/variables.ts'

const SECRET_NAMES = secretNames(VARIABLES)
const TEXT_FILE = /\.(?:js|css|html|json|map|svg|webmanifest|txt)$/
const NAMES = new RegExp(`(?<![A-Z0-9_])(?:${SECRET_NAMES.join('|')})(?![A-Z0-9_])`, 'g')
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/

/** A sentence for each file and each secret that it names. */
export function bundleComplaints(dist: string): string[] {
  if (!existsSync(dist)) return []
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT_FILE.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const names = new Set(text.match(NAMES) ?? [])
    if (PRIVATE_KEY.test(text)) names.add('a private key')
    return [...names].map((name) => `${file} contains ${name}: it is a secret of the server.`)
  })
}
