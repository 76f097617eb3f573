import { randomBytes } from 'node:crypto'
import { seal } from '@duet/server/lib/cipher.ts'
import { startRelay } from '../figures/measured-server.ts'
import { atOnce } from '../sockets/at-once.ts'
import { answerIn } from '../sockets/product-session.ts'
import { asking, connect } from '../sockets/raw-client.ts'
import type { BenchPair } from './pairs.ts'
import { createDelivery, onReceived, type ComparedPeer, TEXT } from './peer.ts'

const CONNECTING_MAX = 50

export async function relayPeer(pairs: readonly BenchPair[]): Promise<ComparedPeer> {
  const key = randomBytes(32)
  const server = await startRelay(key)
  const people = await atOnce([...Array(pairs.length * 2).keys()], CONNECTING_MAX, async (id) => {
    const socket = await connect(server.port)
    await socket.ask(asking(seal(key, { action: 'AUTH', data: { id } })))
    return socket
  })
  const says = people.map((socket, id) => {
    const delivery = createDelivery()
    onReceived(people[id ^ 1]!, { event_key: key, sender_id: id }, delivery.end)
    return async () => {
      const data = { to: id ^ 1, message: TEXT }
      const delivered = delivery.begin()
      const answer = answerIn(key, await socket.ask(asking(seal(key, { action: 'MESSAGE', data }))))
      if (!answer.data) throw new Error('the relay refused a message')
      return delivered
    }
  })
  return {
    name: 'relay that stores nothing',
    says,
    cpuUs: async () => (await server.used()).cpu_us,
    async finish() {
      for (const socket of people) socket.close()
      await server.stop()
      return 0
    },
  }
}
