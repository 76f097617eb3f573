/**
 * The page's entry. The pieces of the application are evaluated in tasks of their own, so that a slow phone reacts to a touch
 * between two of them. The page preloads all of them at once; the order is that of their size.
 */
const PIECES = [() => import('react-dom/client'), () => import('./app/application.tsx')]

const nextTask = () => new Promise((resolve) => setTimeout(resolve))

async function startInPieces(): Promise<void> {
  for (const load of PIECES) {
    await load()
    await nextTask()
  }
  const { start } = await import('./app/start/start.tsx')
  await start()
}

void startInPieces()
