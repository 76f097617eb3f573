import { Suspense } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { errorSentence } from '../shared/api.ts'
import { ProofProvider } from '../shared/prove/prove.tsx'
import { PendingProvider } from '../shared/queue/pending-decision.tsx'
import { SessionProvider, useOwnSession } from '../shared/session.tsx'
import { t } from '../shared/texts.ts'
import { Frame } from './frame.tsx'
import { lazyPage } from './lazy-page.tsx'
import { groups } from './pages.ts'

const Setup = lazyPage(
  () => import('../features/sign-in/setup.tsx'),
  (from) => from.Setup,
)

const SignIn = lazyPage(
  () => import('../features/sign-in/sign-in.tsx'),
  (from) => from.SignIn,
)

/** The entrance, or the frame with the pages of the role. */
export function Office() {
  return (
    <Suspense fallback={<Loading />}>
      <Entrance />
    </Suspense>
  )
}

function Entrance() {
  const session = useOwnSession()
  const { pathname } = useLocation()
  if (pathname.startsWith('/setup')) return <Setup />
  if (session.isPending) return <Loading />
  if (session.data === null) return <SignIn />
  if (!session.data)
    return (
      <main className="mx-auto max-w-[480px] p-6">
        <Banner
          tone="danger"
          action={
            <Button size={30} variant="outline" onClick={() => void session.refetch()}>
              {t('action.retry')}
            </Button>
          }
        >
          {errorSentence(session.error)}
        </Banner>
      </main>
    )
  const { role } = session.data.staff
  const pages = groups.flatMap((group) => group.pages).filter(({ roles }) => roles.includes(role))
  return (
    <SessionProvider value={session.data}>
      <ProofProvider>
        <PendingProvider>
          <Frame>
            <Suspense fallback={<Loading />}>
              <Routes>
                {pages.map(({ path, page: Page }) => (
                  <Route key={path} path={`${path}/*`} element={<Page />} />
                ))}
                <Route path="*" element={<Navigate to={`/${pages[0]!.path}`} replace />} />
              </Routes>
            </Suspense>
          </Frame>
        </PendingProvider>
      </ProofProvider>
    </SessionProvider>
  )
}

function Loading() {
  return (
    <p role="status" className="p-6">
      {t('office.loading')}
    </p>
  )
}
