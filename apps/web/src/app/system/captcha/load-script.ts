const loaded = new Map<string, Promise<void>>()

/** Loads a script of another origin once. If a script did not load within the limit, the next call tries again. */
export function loadScript(src: string, limitMs: number): Promise<void> {
  const known = loaded.get(src)
  if (known) return known
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.async = true
    const giveUp = () => {
      clearTimeout(limit)
      script.remove()
      loaded.delete(src)
      reject(new Error('The script of the captcha provider did not load'))
    }
    // A firewall that drops packets lets the browser wait for minutes.
    const limit = setTimeout(giveUp, limitMs)
    script.addEventListener('load', () => {
      clearTimeout(limit)
      resolve()
    })
    script.addEventListener('error', giveUp)
    document.head.append(script)
  })
  loaded.set(src, loading)
  return loading
}
