/** Runs all of them in their order, up to the given number at a time. */
export async function atOnce<T, R>(
  items: readonly T[],
  width: number,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const at = next++
      results[at] = await run(items[at]!)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
