import { atOnce } from '../../sockets/at-once.ts'
import { createDelivery, type ComparedPeer, TEXT } from '../peer.ts'
import { HOST, PASSWORD, startEjabberd } from './server.ts'
import { connectXmpp } from './xmpp-socket.ts'

const CONNECTING_MAX = 20

export async function ejabberdPeer(folder: string, users: number): Promise<ComparedPeer> {
  const server = await startEjabberd(folder, users)
  const people = await atOnce([...Array(users).keys()], CONNECTING_MAX, (id) =>
    connectXmpp({ port: server.port, host: HOST, user: `user${id}`, password: PASSWORD }),
  )
  const says = people.map((socket, id) => {
    const delivery = createDelivery()
    people[id ^ 1]!.onReceived = delivery.end
    return async () => {
      const delivered = delivery.begin()
      await socket.send(`user${id ^ 1}`, TEXT)
      return delivered
    }
  })
  return {
    name: 'ejabberd with its archive',
    says,
    cpuUs: server.cpuUs,
    async finish() {
      const rows = await server.archived()
      for (const socket of people) socket.close()
      await server.stop()
      return rows / 2
    },
  }
}
