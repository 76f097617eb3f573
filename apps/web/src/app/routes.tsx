import { Route, Routes, Navigate, useLocation } from 'react-router'
import { lazyScreen } from '../shared/lazy-screen.ts'
import { features } from './features.ts'
import type { ReactNode } from 'react'
import { useAuthStatus } from '../shared/account/auth-status.ts'
import { useOwnUser } from '../shared/app-services.tsx'
import type { AccessRequirement, FeatureRoute } from '../shared/feature.ts'
import { checkAccess } from './access.ts'

const NotFound = lazyScreen(
  () => import('./pages/not-found.tsx'),
  (module) => module.NotFound,
)
async function loadProfile() {
  const [page] = await Promise.all([import('./profile/profile-page.tsx'), loadSections()])
  return page
}
const loadSections = async () => (await import('./profile/load-sections.ts')).loadProfileSections()
const ProfilePage = lazyScreen(loadProfile, (module) => module.ProfilePage)
const AdultGallery = lazyScreen(
  () => import('./pages/adult-gallery.tsx'),
  (module) => module.AdultGallery,
)
const Components = lazyScreen(
  () => import('../../dev/components-page.tsx'),
  (module) => module.ComponentsPage,
)
const CallFixtures = lazyScreen(
  () => import('../../dev/call-fixtures-page.tsx'),
  (module) => module.CallFixturesPage,
)

/** The routes of every path: at most one for each role, and one for all other users. */
const featureRoutes = Map.groupBy(
  features.flatMap(({ routes = [] }): readonly FeatureRoute[] => routes),
  ({ path }) => path,
)

/** The pages of every feature, and the pages for development: every address but `/`. */
export function FeaturePages() {
  return (
    <Routes>
      <Route
        path="/profile"
        element={
          <GuardedPage access="member">
            <main>
              <ProfilePage />
            </main>
          </GuardedPage>
        }
      />
      <Route path="/nsfw/gallery" element={<AdultGallery />} />
      {[...featureRoutes].map(([path, routes]) => (
        <Route key={path} path={path} element={<FeaturePage routes={routes} />} />
      ))}
      <Route path="/dev/ui" element={<Components />} />
      <Route path="/dev/call/:screen?" element={<CallFixtures />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}

/** The page of a path for the role of the viewer. */
function FeaturePage({ routes }: { routes: readonly FeatureRoute[] }) {
  const status = useAuthStatus()
  const role = useOwnUser()?.role
  const hasRole = routes.some((route) => route.role !== undefined)
  // A member's role decides the page. It comes with AUTH.
  if (hasRole && status === 'unknown') return <div className="min-h-dvh" />
  const route =
    routes.find((one) => one.role !== undefined && one.role === role) ??
    routes.find((one) => one.role === undefined)
  if (!route) return <NotFound />
  const { access, element } = route
  return access ? <GuardedPage access={access}>{element}</GuardedPage> : element
}

/** Shows a page to users with access. All others are sent to `/`, where the login opens and continues to the page. */
function GuardedPage({ access, children }: { access: AccessRequirement; children: ReactNode }) {
  const { pathname, search, hash } = useLocation()
  const decision = checkAccess(access, useAuthStatus())
  if (decision === 'wait') return <div className="min-h-dvh" />
  if (decision === 'allow') return children
  return (
    <Navigate
      to="/"
      replace
      state={access === 'member' ? { login_then: pathname + search + hash } : null}
    />
  )
}
