import { afterEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
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
])('after a navigation the focus is on %s', async (_, name, focused) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
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
})
