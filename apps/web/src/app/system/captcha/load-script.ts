const loaded = new Map<string, Promise<void>>()

/** Loads a script of another origin once; one that did not load may be tried again. */
export function loadScript(src: string): Promise<void> {
  const known = loaded.get(src)
  if (known) return known
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.async = true
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      script.remove()
      loaded.delete(src)
      reject(new Error('The script of the captcha provider did not load'))
    })
    document.head.append(script)
  })
  loaded.set(src, loading)
  return loading
}
