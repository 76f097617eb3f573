import { startTransition, useLayoutEffect, useState, type ReactNode } from 'react'
import { Router, UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router'

/**
 * The router of the page. It does what `BrowserRouter` does, whose module contains links and forms too: the landing page is
 * hydrated without those.
 */
export function PageRouter({ basename, children }: { basename: string; children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }))
  const [{ action, location }, setNavigation] = useState(() => getCurrentLocation(history))
  useLayoutEffect(
    () => history.listen(() => startTransition(() => setNavigation(getCurrentLocation(history)))),
    [history],
  )
  return (
    <Router basename={basename} navigator={history} location={location} navigationType={action}>
      {children}
    </Router>
  )
}

function getCurrentLocation({ action, location }: ReturnType<typeof createBrowserHistory>) {
  return { action, location }
}
