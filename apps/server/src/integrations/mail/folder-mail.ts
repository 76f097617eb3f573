import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeptMail, MailTransport } from './mail.ts'

const MAILS_MAX = 200
const OWNER_ONLY = 0o700

/**
 * The development form: mails are files of a folder, and no mail leaves the machine. The name of a file
 * begins with its time and ends with the mail's id. So a repeated attempt writes the same file.
 */
export function createFolderMail(folder: string): MailTransport {
  const names = async () => {
    const found = await readdir(folder).catch(() => [])
    return found.filter((name) => name.endsWith('.json')).toSorted()
  }
  return {
    is_off: false,
    async send(mail, now) {
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY })
      const ending = `-${createHash('sha256').update(mail.id).digest('hex').slice(0, 16)}.json`
      const before = await names()
      const name =
        before.find((one) => one.endsWith(ending)) ??
        `${String(now.epochMilliseconds).padStart(15, '0')}${ending}`
      const kept: KeptMail = { ...mail, at: now.toString() }
      const draft = join(folder, `${randomUUID()}.draft`)
      await writeFile(draft, JSON.stringify(kept, undefined, 2), { mode: 0o600 })
      await rename(draft, join(folder, name))
      const surplus = before.slice(0, Math.max(0, before.length + 1 - MAILS_MAX))
      await Promise.all(surplus.map((one) => rm(join(folder, one), { force: true })))
      return 'sent'
    },
    async kept() {
      const texts = await Promise.all(
        (await names()).map((name) => readFile(join(folder, name), 'utf8').catch(() => undefined)),
      )
      return texts
        .flatMap((text) => (text === undefined ? [] : [JSON.parse(text) as KeptMail]))
        .toReversed()
    },
    close() {},
  }
}
