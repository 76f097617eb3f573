const COUNT_SHOWN_MAX = 99

/** Undefined while the tab has the title of the prerendered page. */
let page: string | undefined
let unread = 0
let notice: string | undefined

/** Names the page in the tab of the browser: "Messages – Duet". */
export function setPageTitle(name: string, product: string): void {
  page = name && name !== product ? `${name} – ${product}` : product
  show()
}

/** Shows the number of unread messages before the name of the page: "(3) Messages – Duet". */
export function setUnreadInTitle(count: number): void {
  unread = count
  show()
}

/** Shows a text in the place of the title, until the notice is undefined. */
export function setTitleNotice(text: string | undefined): void {
  notice = text
  show()
}

function show(): void {
  page ??= document.title
  const shown = unread > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : unread
  document.title = notice ?? (unread === 0 ? page : `(${shown}) ${page}`)
}
