import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { Avatar } from '@duet/ui'
import type { ClientConnection } from '@duet/client'
import { renewMediaAddresses } from './media-addresses.ts'

const HER = '0192d0c0-0000-7000-8000-000000000001'
const HIS = '0192d0c0-0000-7000-8000-000000000002'
const address = (id: string, expires: number) =>
  `/media/${id}/card?viewer=7&expires=${expires}&signature=abc`

let root: Root
const post = vi.fn()
const http = { post } as unknown as ClientConnection['http']
renewMediaAddresses({ http })

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers()
  post.mockReset()
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const show = (...sources: string[]) =>
  act(() => root.render(sources.map((src) => <Avatar key={src} name="Anna" src={src} />)))
const pictures = () => [...document.querySelectorAll('img')].map((one) => one.getAttribute('src'))
const failAll = () =>
  act(async () => {
    for (const one of document.querySelectorAll('img')) one.dispatchEvent(new Event('error'))
    await vi.runAllTimersAsync()
  })

test('pictures whose address expired get new ones, in one call', async () => {
  post.mockImplementation(async (_path: string, { ids }: { ids: string[] }) => ({
    urls: ids.map((id) => ({ id, url: address(id, 900) })),
  }))
  show(address(HER, 300), address(HIS, 300))
  await failAll()
  expect(post.mock.calls).toEqual([['media/urls', { ids: [HER, HIS] }]])
  expect(pictures()).toEqual([address(HER, 900), address(HIS, 900)])
})

const WIDTHS = `${address(HER, 300).replace('card', 'small')} 120w, ${address(HER, 300)} 480w`
const showWidths = () =>
  act(() => root.render(<Avatar name="Anna" src={address(HER, 300)} srcSet={WIDTHS} />))
const widths = () => document.querySelector('img')?.getAttribute('srcset')

test('an expired width gives way to the new address, also after the page is drawn again', async () => {
  post.mockResolvedValue({ urls: [{ id: HER, url: address(HER, 900) }] })
  showWidths()
  expect(widths()).toBe(WIDTHS)
  await failAll()
  showWidths()
  expect([pictures(), widths()]).toEqual([[address(HER, 900)], null])
})

test('a width that is missing while its address is valid gives way to the full address, once', async () => {
  post.mockResolvedValue({ urls: [{ id: HER, url: address(HER, 300) }] })
  showWidths()
  await failAll()
  expect([pictures(), widths()]).toEqual([[address(HER, 300)], null])
  await failAll()
  expect(pictures()).toEqual([])
  expect(post).toHaveBeenCalledTimes(2)
})

test('a picture with widths that the user may not see any more is asked for once', async () => {
  post.mockResolvedValue({ urls: [] })
  showWidths()
  await failAll()
  expect(pictures()).toEqual([])
  expect(post).toHaveBeenCalledTimes(1)
})

test('a picture that the user may not see any more is replaced by initials', async () => {
  post.mockResolvedValue({ urls: [] })
  show(address(HER, 300))
  await failAll()
  expect(pictures()).toEqual([])
  expect(document.body.textContent).toContain('A')
})

test('the same address once more ends the attempts', async () => {
  post.mockResolvedValue({ urls: [{ id: HER, url: address(HER, 300) }] })
  show(address(HER, 300))
  await failAll()
  expect(pictures()).toEqual([])
  expect(post).toHaveBeenCalledTimes(1)
})

test('a picture without a signature is not asked for', async () => {
  show('/sample.webp')
  await failAll()
  expect(post).not.toHaveBeenCalled()
  expect(pictures()).toEqual([])
})
