/** A browser that takes push messages, as it described itself. */
export interface PushTarget {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

export interface PushMessage {
  readonly payload: string
  /** The push service keeps the message this long for a browser that is away. */
  readonly ttl_seconds: number
  /** A later message of the same topic replaces a waiting message. */
  readonly topic: string
  /** High: the device wakes for it at once. */
  readonly urgency?: 'high'
}

export type PushOutcome = 'sent' | 'gone' | 'refused' | 'forbidden' | 'unreachable'

/** Sends messages to browsers through the services of their vendors. */
export interface PushSender {
  /** The key by which browsers know this installation. */
  readonly public_key: string
  /**
   * Whether the address belongs to a push service, and messages can be encrypted for the browser. An
   * unchecked address would let a client choose where this server connects.
   */
  isAccepted(target: PushTarget): boolean
  /**
   * `gone`: the browser takes no more messages. `refused`: the service will never take this message.
   * `forbidden`: the service does not accept the key of this installation for the browser. The key may have changed.
   * `unreachable`: nothing answers at the address, perhaps for a moment. After an error the message is sent
   * again.
   */
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>
}

/** The key pair of RFC 8292, in base64url. */
export interface PushKeys {
  readonly public_key: string
  readonly private_key: string
}
