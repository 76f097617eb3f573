/** How many deliveries of each kind of outbox row run in this process, and how many more may. */
export class Places {
  readonly #kinds = new Map<string, { readonly max: number; running: number; is_short: boolean }>()

  open(kind: string, max: number): void {
    this.#kinds.set(kind, { max, running: 0, is_short: false })
  }

  isFree(kind: string): boolean {
    const { running, max } = this.#of(kind)
    return running < max
  }

  /** The number of free places by kind; kinds without one are left out. */
  free(): Map<string, number> {
    const free = new Map<string, number>()
    for (const [kind, { max, running }] of this.#kinds)
      if (running < max) free.set(kind, max - running)
    return free
  }

  take(kind: string): void {
    this.#of(kind).running += 1
  }

  /** True when enough places are free again to look for rows without a place. */
  leave(kind: string): boolean {
    const place = this.#of(kind)
    place.running -= 1
    return place.is_short && place.running <= place.max / 2
  }

  /** Where every free place was taken, more rows may be due. */
  claimed(free: ReadonlyMap<string, number>, rows: readonly { readonly kind: string }[]): void {
    for (const [kind, count] of free)
      this.#of(kind).is_short = rows.filter((row) => row.kind === kind).length >= count
  }

  #of(kind: string) {
    return this.#kinds.get(kind)!
  }
}
