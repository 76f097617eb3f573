import { readdir, readFile, writeFile } from 'node:fs/promises'

export interface ChildMemory {
  begin(): Promise<void>
  /**
   * The memory in MB that one child process needed since then, beyond what it held before. A process keeps
   * memory of earlier pictures. If the process was started since, all its memory counts. 0 if the system
   * does not report it.
   */
  neededMb(): Promise<number>
}

/** Measures the child processes of this process from `/proc` of Linux. */
export function childMemory(): ChildMemory {
  let before = new Map<string, number>()
  return {
    async begin() {
      before = new Map()
      for (const child of await children()) {
        // 5 resets the peak of a process.
        await writeFile(`/proc/${child}/clear_refs`, '5').catch(() => {})
        before.set(child, await fetchKilobytes(child, 'VmRSS'))
      }
    },
    async neededMb() {
      const needed = (await children()).map(
        async (child) => (await fetchKilobytes(child, 'VmHWM')) - (before.get(child) ?? 0),
      )
      return Math.round(Math.max(0, ...(await Promise.all(needed))) / 1024)
    },
  }
}

async function children(): Promise<string[]> {
  const threads = await readdir('/proc/self/task').catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/self/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.flatMap((list) => list.split(' ').filter(Boolean))
}

async function fetchKilobytes(child: string, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${child}/status`, 'utf8').catch(() => '')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0)
}
