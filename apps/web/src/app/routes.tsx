import { Route, Routes } from 'react-router'
import { lazyScreen } from '../shared/lazy-screen.ts'
import { Guard } from './guard.tsx'
import { Home } from './pages/home.tsx'

const Own = lazyScreen(
  () => import('./pages/own-page.tsx'),
  (module) => module.OwnPage,
)
const LawPage = lazyScreen(
  () => import('../features/legal/legal-page.tsx'),
  (module) => module.LegalPage,
)
const NotFound = lazyScreen(
  () => import('./pages/not-found.tsx'),
  (module) => module.NotFound,
)
const Components = lazyScreen(
  () => import('./pages/components-page.tsx'),
  (module) => module.ComponentsPage,
)
const CallFixtures = lazyScreen(
  () => import('./pages/call-fixtures-page.tsx'),
  (module) => module.CallFixturesPage,
)

/** The addresses of `spec.md` section 2 that lead somewhere now. */
export function AppRoutes() {
  return (
    <Routes>
      <Route path="/" element={<Home />} />
      <Route
        path="/profile"
        element={
          <Guard needs="auth">
            <main>
              <Own />
            </main>
          </Guard>
        }
      />
      <Route path="/terms" element={<LawPage law="terms" />} />
      <Route path="/privacy" element={<LawPage law="privacy" />} />
      <Route path="/dev/ui" element={<Components />} />
      <Route path="/dev/call/:scene?" element={<CallFixtures />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}
