import { Route, Routes, Navigate, useLocation } from 'react-router'
import { lazyScreen } from '../shared/lazy-screen.ts'
import { features } from './features.ts'
import type { ReactNode } from 'react'
import { useAuthStatus } from '../shared/account/auth-status.ts'
import type { AccessRequirement } from '../shared/feature.ts'
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

const featureRoutes = features.flatMap(({ routes = [] }) => routes)

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
      {featureRoutes.map(({ path, element, access }) => (
        <Route
          key={path}
          path={path}
          element={access ? <GuardedPage access={access}>{element}</GuardedPage> : element}
        />
      ))}
      <Route path="/dev/ui" element={<Components />} />
      <Route path="/dev/call/:screen?" element={<CallFixtures />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
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
