import { Suspense } from 'react'
import { LoadingBar } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import { useIsHydrated } from '../../shared/observable-store.ts'
import { useIsLoading } from '../../shared/controls/loading.ts'
import { useRuntime } from '../runtime/runtime-context.ts'

const Layers = lazyScreen(
  () => import('./layers.tsx'),
  (module) => module.Layers,
)

/** The layers over every page. They are loaded right after the runtime, because a dialog about a missing network cannot be fetched then. */
export function SystemLayer() {
  const isLoading = useIsLoading()
  const isHydrated = useIsHydrated()
  const runtime = useRuntime()
  return (
    <>
      {isHydrated && isLoading ? (
        <div className="fixed inset-x-0 top-0 z-tooltip">
          <LoadingBar label={t('app.loading')} />
        </div>
      ) : null}
      {runtime ? (
        <Suspense fallback={null}>
          <Layers />
        </Suspense>
      ) : null}
    </>
  )
}
