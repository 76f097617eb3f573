import { seal } from '@duet/server/lib/cipher.ts'
import { openDatabase } from '@duet/server/platform/database/open.ts'
import { startProduct } from '../figures/measured-server.ts'
import { atOnce } from '../sockets/at-once.ts'
import { answerIn, enterAs, fetchSocketKey } from '../sockets/product-session.ts'
import { asking } from '../sockets/raw-client.ts'
import type { BenchPair } from './pairs.ts'
import { createDelivery, databaseCpuUs, onReceived, type ComparedPeer, TEXT } from './peer.ts'

const CONNECTING_MAX = 50

export async function productPeer(
  dataDir: string,
  pairs: readonly BenchPair[],
): Promise<ComparedPeer> {
  const server = await startProduct(dataDir)
  const key = await fetchSocketKey(server)
  const users = pairs.flatMap(({ guy, girl, dialogId }) => [
    { ...guy, dialogId },
    { ...girl, dialogId },
  ])
  const people = await atOnce(users, CONNECTING_MAX, (user) => enterAs(server, key, user))
  const says = people.map(({ socket }, at) => {
    const delivery = createDelivery()
    const other = people[at ^ 1]!
    onReceived(other.socket, { event_key: other.event_key, sender_id: users[at]!.id }, delivery.end)
    return async () => {
      const { dialogId } = users[at]!
      const data = { dialogId, message: TEXT, random_id: crypto.randomUUID() }
      const delivered = delivery.begin()
      const packet = asking(seal(key, { action: 'MESSAGE', data }))
      const answer = answerIn(key, await socket.ask(packet))
      if (!answer.data) throw new Error(`MESSAGE was refused: ${JSON.stringify(answer)}`)
      return delivered
    }
  })
  return {
    name: 'the product',
    says,
    cpuUs: async () => (await server.used()).cpu_us + (await databaseCpuUs(dataDir)),
    async finish() {
      for (const { socket } of people) socket.close()
      await server.stop()
      return countMessages(dataDir)
    },
  }
}

async function countMessages(dataDir: string): Promise<number> {
  const database = await openDatabase({ data_dir: dataDir })
  try {
    const { rows } = await database.pool.query<{ count: number | string }>(
      'select count(*) from messages',
    )
    return Number(rows[0]!.count)
  } finally {
    await database.stop()
  }
}
