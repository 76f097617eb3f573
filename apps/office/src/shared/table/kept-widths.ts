const keyFor = (table: string) => `duet.office.widths.${table}`

type Widths = Readonly<Record<string, number>>

/** The widths of a table's columns that this browser keeps. */
export function keptWidths(table: string): Widths {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyFor(table)) ?? '{}')
    return Object.fromEntries(
      Object.entries(kept ?? {}).filter(([, width]) => Number.isFinite(width)),
    )
  } catch {
    return {}
  }
}

/** Without a width the table has its own again. */
export function keepWidths(table: string, widths: Widths): void {
  try {
    if (Object.keys(widths).length === 0) localStorage.removeItem(keyFor(table))
    else localStorage.setItem(keyFor(table), JSON.stringify(widths))
  } catch {
    // The browser keeps nothing: the widths last until the page is left.
  }
}
