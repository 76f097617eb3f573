import type { Connection } from '../../core/realtime.ts'

/** Channels of one socket at most; above it, the oldest subscription ends. */
const CHANNELS_PER_CONNECTION_MAX = 1000

/** The channels of each socket, and the sockets of each channel. */
export interface Channels {
  subscribe(connection: Connection, channel: string): void
  unsubscribe(connection: Connection, channel: string): void
  unsubscribeAll(connection: Connection): void
  isSubscribed(connection: Connection, channel: string): boolean
  subscribers(channel: string): Iterable<Connection>
}

export function createChannels(): Channels {
  const connectionsOf = new Map<string, Set<Connection>>()
  const channelsOf = new Map<Connection, Set<string>>()

  function unsubscribe(connection: Connection, channel: string): void {
    const subscribers = connectionsOf.get(channel)
    subscribers?.delete(connection)
    if (subscribers?.size === 0) connectionsOf.delete(channel)
    const channels = channelsOf.get(connection)
    channels?.delete(channel)
    if (channels?.size === 0) channelsOf.delete(connection)
  }

  return {
    subscribe(connection, channel) {
      let channels = channelsOf.get(connection)
      if (!channels) channelsOf.set(connection, (channels = new Set()))
      channels.add(channel)
      let subscribers = connectionsOf.get(channel)
      if (!subscribers) connectionsOf.set(channel, (subscribers = new Set()))
      subscribers.add(connection)
      if (channels.size > CHANNELS_PER_CONNECTION_MAX)
        unsubscribe(connection, channels.values().next().value!)
    },
    unsubscribe,
    unsubscribeAll(connection) {
      for (const channel of channelsOf.get(connection) ?? []) unsubscribe(connection, channel)
    },
    isSubscribed: (connection, channel) => channelsOf.get(connection)?.has(channel) ?? false,
    subscribers: (channel) => connectionsOf.get(channel) ?? [],
  }
}
