import type { System } from '@duet/protocol'

export type Region = NonNullable<System['features']['fingerprint']['region']>

/** The part of the script of Fingerprint Pro, version 4, that is used. */
export interface FingerprintScript {
  start(options: {
    readonly region: Region
    /** Sends hashes instead of the parts of the page's address. */
    readonly urlHashing: {
      readonly path: boolean
      readonly query: boolean
      readonly fragment: boolean
    }
    readonly cache: { readonly storage: 'agent'; readonly duration: number }
  }): FingerprintAgent
}

export interface FingerprintAgent {
  /** @throws when it is blocked, refused, or not answered within the limit in milliseconds */
  get(options: { readonly timeout: number }): Promise<Identification>
}

export interface Identification {
  readonly event_id: string
  /** Absent where the account of the service tells it to servers only. */
  readonly visitor_id?: string
}

/** Loads the script from the service, which answers with the one of the account. It is not free software, so it is in no bundle. */
export async function loadFingerprintScript(key: string): Promise<FingerprintScript> {
  const url = `https://fpjscdn.net/v4/${encodeURIComponent(key)}`
  return (await import(/* @vite-ignore */ url)) as FingerprintScript
}
