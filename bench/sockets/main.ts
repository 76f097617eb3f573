/**
 * The cost of a socket of the product's server. The baseline is a bare Socket.IO echo with the same packets. Each
 * server runs in its own process; the same raw client runs here. Rounds are interleaved; figures are medians. Prints
 * ratios, asserts nothing.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareActions } from './actions.ts'
import { compareCodec } from './codec.ts'
import { compareConnects } from './connects.ts'
import { compareMemory } from './memory.ts'
import { makeMembers } from './members.ts'

const MEMBER_COUNT = 10_000
const dataDir = await mkdtemp(join(tmpdir(), 'duet-bench-sockets-'))
const only = process.argv
  .find((argument) => argument.startsWith('--only='))
  ?.slice('--only='.length)
const parts = { actions: compareActions, connects: compareConnects, memory: compareMemory }

compareCodec()
try {
  const members = await makeMembers(dataDir, MEMBER_COUNT)
  for (const [name, compare] of Object.entries(parts)) {
    if (only === undefined || only === name) await compare({ data_dir: dataDir, members })
  }
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
