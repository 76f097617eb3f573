/** Waits for something that only the server knows. Asked often, and never for longer than the screen would wait. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
): Promise<T> {
  const last = performance.now() + 100_000
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() > last) throw new Error(`It never came: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
