/**
 * The end of the log, signed and kept outside the database. A person who changes the database alone cannot cut the log off, or
 * write it again from the beginning, without leaving an end here that is not in it.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import { keyFor } from '../../lib/derived-key.ts'
import { readHead } from './store.ts'

const STORAGE_KEY = 'audit-heads/latest.json'
/** The beginning of a private key of Ed25519 in DER, in front of its 32 bytes. */
const ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

const SignedHead = z.object({
  at: z.string(),
  entries: z.int().positive(),
  head: z.string(),
  signature: z.base64url(),
})
type SignedHead = z.output<typeof SignedHead>

/** An end is kept every minute. When this much time passes without one, the job does not run. */
const LONGEST_PAUSE = { minutes: 10 }

/**
 * The kept end beside the log: `found` in it, found but `stale`, `missing` from it, or `forged`. `none`: nothing was kept yet.
 */
export type KeptHead = 'none' | 'found' | 'stale' | 'missing' | 'forged'

function privateKey(app: App): KeyObject {
  const seed = keyFor(app.config, 'the kept end of the audit log')
  return createPrivateKey({ key: Buffer.concat([ED25519, seed]), format: 'der', type: 'pkcs8' })
}

const signedText = ({ at, entries, head }: Omit<SignedHead, 'signature'>) =>
  Buffer.from(`duet audit log\n${at}\n${entries}\n${head}`)

/** The kept end, if its signature is ours. */
async function readKept(app: App): Promise<SignedHead | 'none' | 'forged'> {
  const bytes = await app.storage.get(STORAGE_KEY)
  if (!bytes) return 'none'
  const read = SignedHead.safeParse(parse(bytes))
  if (!read.success) return 'forged'
  const signature = Buffer.from(read.data.signature, 'base64url')
  const isOurs = verify(null, signedText(read.data), createPublicKey(privateKey(app)), signature)
  return isOurs ? read.data : 'forged'
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Compares the log with the kept end. */
export async function compareKeptHead(app: App, db: Db): Promise<KeptHead> {
  const kept = await readKept(app)
  if (typeof kept === 'string') return kept
  const entry = await db
    .selectFrom('audit_entries')
    .select('hash')
    .where('entry_id', '=', kept.entries)
    .executeTakeFirst()
  if (entry?.hash !== kept.head) return 'missing'
  return isOverdue(app, Temporal.Instant.from(kept.at)) ? 'stale' : 'found'
}

/** Whether an end had to be kept since then. */
function isOverdue({ clock }: App, since: Temporal.Instant): boolean {
  return Temporal.Instant.compare(since.add(LONGEST_PAUSE), clock.now()) < 0
}

/** Whether the end is kept as it should be. A log without an end is in order only while it is young. */
export async function isKeptWell(app: App, db: Db, kept_head: KeptHead): Promise<boolean> {
  if (kept_head !== 'none') return kept_head === 'found'
  const first = await db
    .selectFrom('audit_entries')
    .select('at')
    .orderBy('entry_id')
    .limit(1)
    .executeTakeFirst()
  return !first || !isOverdue(app, first.at)
}

/**
 * Signs the present end of the log, writes it to the log of the server and keeps it in the storage of files. An end that is not in
 * the log any more stays, until a person accepts the loss, as after a restore.
 * @throws if the kept end is missing from the log, or forged
 */
export async function keepHead(app: App, { accepts_loss = false } = {}): Promise<void> {
  const { entry_id: entries, hash: head } = await readHead(app.db)
  if (entries === 0) return
  const unsigned = { at: app.clock.now().toString(), entries, head }
  const signature = sign(null, signedText(unsigned), privateKey(app)).toString('base64url')
  app.log.info({ entries, head, signature }, 'the end of the audit log')
  const kept = await compareKeptHead(app, app.db)
  if (!accepts_loss && (kept === 'missing' || kept === 'forged'))
    throw new Error(`The end of the audit log that was kept outside the database is ${kept}`)
  const signed: SignedHead = { ...unsigned, signature }
  await app.storage.put(STORAGE_KEY, Buffer.from(JSON.stringify(signed)))
}
