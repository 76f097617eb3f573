import { afterEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
import { activate } from '../../shared/i18n.ts'
import { setUnreadInTitle } from '../../shared/navigation/page-title.ts'
import { useRouteFocus } from './app-layout.tsx'

let root: Root
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

function Layout() {
  useRouteFocus()
  return (
    <div id="page">
      <Outlet />
    </div>
  )
}

const heading = <h1 tabIndex={-1}>Messages</h1>

test.each([
  ['the element that the page names', '', 'TEXTAREA'],
  ['else the heading', undefined, 'H1'],
])(
  'after a navigation the tab has the name of the page, and the focus is on %s',
  async (_, name, focused) => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    await activate('en')
    const page = (
      <>
        {heading}
        <textarea data-route-focus={name} />
      </>
    )
    const router = createMemoryRouter([
      {
        element: <Layout />,
        children: [
          { path: '/', element: heading },
          { path: '/messenger/7', element: page },
        ],
      },
    ])
    const place = document.createElement('div')
    document.body.append(place)
    root = createRoot(place)
    await act(async () => root.render(<RouterProvider router={router} />))
    await act(() => router.navigate('/messenger/7'))
    expect(document.activeElement?.tagName).toBe(focused)
    expect(document.title).toBe('Messages – Duet')
    setUnreadInTitle(120)
    expect(document.title).toBe('(99+) Messages – Duet')
    await act(() => router.navigate('/'))
    expect(document.title).toBe('(99+) Duet')
    setUnreadInTitle(0)
    expect(document.title).toBe('Duet')
  },
)
