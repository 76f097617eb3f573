import type { App } from '../../core/app.ts'
import { compareKeptHead, isKeptWell, type KeptHead } from './kept-head.ts'
import { allEntries, verifyChain } from './queries.ts'

export type VerifiedLog = Awaited<ReturnType<typeof verifyChain>> & {
  readonly kept_head: KeptHead
}

/** Verifies every entry, and that a recent end that was kept outside the database is among them. `noted`: as of `verifyChain`. */
export async function verifyLog(app: App, noted?: string): Promise<VerifiedLog> {
  const verified = await app.onDedicatedConnection((db) => verifyChain(allEntries(db), noted))
  const kept_head = await compareKeptHead(app, app.db)
  const isKept = await isKeptWell(app, app.db, kept_head)
  return { ...verified, ok: verified.ok && isKept, kept_head }
}
