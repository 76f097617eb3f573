/** The page's entry. The page preloads all pieces at once. The pieces are evaluated in the order of this list. */
import { startInPieces } from './app/start/start-in-pieces.ts'

void startInPieces({
  libraries: [() => import('react-dom/client'), () => import('./app/application.tsx')],
  start: () => import('./app/start/start.tsx'),
  runtime: () => import('./app/runtime/open-runtime.ts'),
})
