/** A page of a list: `?page=1&per-page=20`. */
export interface PageRequest {
  readonly page: number
  readonly 'per-page': number
  /** Where the page begins, in a list that has places. The number then only counts the pages. */
  readonly after?: unknown
}

export interface Page<T> {
  readonly items: T[]
  readonly page: number
  readonly per_page: number
  readonly total: number | null
  readonly next: boolean
}

/** How many rows to skip, and how many to fetch: one more than shown, which shows whether there is a next page. */
export function offsetAndLimit(asked: PageRequest): { offset: number; limit: number } {
  const before = asked.after === undefined ? asked.page - 1 : 0
  return { offset: before * asked['per-page'], limit: asked['per-page'] + 1 }
}

/** The page from rows fetched by `offsetAndLimit`. `total` only where a counter is stored. */
export function paginate<T>(
  asked: PageRequest,
  rows: readonly T[],
  total: number | null = null,
): Page<T> {
  const per_page = asked['per-page']
  return {
    items: rows.slice(0, per_page),
    page: asked.page,
    per_page,
    total,
    next: rows.length > per_page,
  }
}
