import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { dialogs } from '../dialogs.ts'
import { activate } from '../i18n.ts'
import { ReportPicture } from './report-picture.tsx'

test('the report of a picture names the person, the picture and its message', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  const open = vi.spyOn(dialogs, 'open').mockImplementation(() => {})
  const closed = vi.fn()
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  const input = { person: { id: 4, nick: 'Kim' }, media_id: 'm-1', message_id: 9 }
  await act(async () => root.render(<ReportPicture {...input} onPress={closed} />))
  await act(async () => document.querySelector('button')!.click())
  expect(closed).toHaveBeenCalledOnce()
  expect(open).toHaveBeenCalledWith('complaint', input)
  act(() => root.unmount())
})
