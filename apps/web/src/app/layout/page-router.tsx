import { startTransition, useLayoutEffect, useState, type ReactNode } from 'react'
import { Router, UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router'

/**
 * The router of the page. The module of `BrowserRouter` also contains links and forms, and the landing page is hydrated
 * without them.
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
