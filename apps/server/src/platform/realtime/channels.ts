import type { Connection } from './connection.ts'

/** One socket follows at most so many rooms; the rooms entered first are left when it asks for more. */
const rooms_of_one_max = 1000

export interface Channels {
  enter(connection: Connection, room: string): void
  leave(connection: Connection, room: string): void
  leaveAll(connection: Connection): void
  in(room: string): Iterable<Connection>
}

export function createChannels(): Channels {
  const members = new Map<string, Set<Connection>>()
  const entered = new Map<Connection, Set<string>>()

  function leave(connection: Connection, room: string): void {
    const of = members.get(room)
    of?.delete(connection)
    if (of?.size === 0) members.delete(room)
    const own = entered.get(connection)
    own?.delete(room)
    if (own?.size === 0) entered.delete(connection)
  }

  return {
    enter(connection, room) {
      let own = entered.get(connection)
      if (!own) entered.set(connection, (own = new Set()))
      own.add(room)
      let of = members.get(room)
      if (!of) members.set(room, (of = new Set()))
      of.add(connection)
      if (own.size > rooms_of_one_max) leave(connection, own.values().next().value!)
    },
    leave,
    leaveAll(connection) {
      for (const room of entered.get(connection) ?? []) leave(connection, room)
    },
    in: (room) => members.get(room) ?? [],
  }
}
