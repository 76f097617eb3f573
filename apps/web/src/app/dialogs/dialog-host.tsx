import { Suspense, useDeferredValue, useEffect, useState, type ComponentType } from 'react'
import {
  dialogs,
  useDialogStack,
  type DialogName,
  type OpenDialog,
  type OpenDialogProps,
} from '../../shared/dialogs.ts'
import { Boundary } from '../errors/boundary.tsx'
import { features } from '../features.ts'
import { backEntries, type BackEntry } from '../../shared/navigation/back-entries.ts'

/**
 * The component of every dialog. A component loads when its dialog first opens, or earlier by its feature's `preload`.
 */
const screens = Object.assign({}, ...features.map((feature) => feature.dialogs)) as Record<
  DialogName,
  ComponentType<OpenDialogProps<DialogName>>
>

/** Every open dialog, in the order in which they were opened. */
export function DialogHost() {
  // Deferred: React draws a new dialog in pieces, between which the page reacts.
  const stack = useDeferredValue(useDialogStack())
  useBackCloses(stack.at(-1)?.key)
  const shown = useExitTransition(stack)
  return (
    <>
      {shown.map(({ dialog, open }) => (
        // If a dialog cannot be loaded, the dialog closes without an answer. The calling code continues, and other
        // dialogs work.
        <Boundary key={dialog.key} fallback={null} onBroken={() => dialogs.close(dialog.key)}>
          <Suspense fallback={null}>
            <DialogScreen dialog={dialog} open={open} />
          </Suspense>
        </Boundary>
      ))}
    </>
  )
}

/** A dialog is mounted closed and opens then: a dialog that is mounted open has no enter transition. */
function DialogScreen({ dialog, open }: ShownDialog) {
  const Screen = screens[dialog.name]
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return (
    <Screen
      input={dialog.input}
      open={open && isMounted}
      close={(answer) => dialogs.close(dialog.key, answer)}
    />
  )
}

const NARROW_SCREEN_PX = 768

/** The history entries of the open dialogs. The entry of the top dialog is the last. */
const dialogEntries: BackEntry[] = []

/**
 * Removes the entry of a closed dialog before the dialog's answer is returned. If Back has already removed the entry,
 * does nothing.
 */
async function onDialogClose(): Promise<void> {
  if (dialogs.getSnapshot().length < dialogEntries.length)
    await backEntries.remove(dialogEntries.pop()!)
}

async function onDialogOpen(): Promise<void> {
  if (innerWidth > NARROW_SCREEN_PX || dialogs.getSnapshot().length <= dialogEntries.length) return
  const entry: BackEntry = {
    onBack() {
      dialogEntries.splice(dialogEntries.indexOf(entry), 1)
      dialogs.closeTop()
    },
  }
  dialogEntries.push(entry)
  await backEntries.add(entry)
}

/** On a narrow screen Back closes the top dialog and does not leave the page. `topKey` is the key of the top dialog. */
function useBackCloses(topKey: number | undefined): void {
  useEffect(() => {
    addEventListener('popstate', backEntries.onPopState)
    dialogs.onClose(onDialogClose)
    return () => removeEventListener('popstate', backEntries.onPopState)
  }, [])
  useEffect(() => {
    if (topKey !== undefined) void onDialogOpen()
  }, [topKey])
}

/** A closed dialog stays mounted this long, for its exit transition. */
const EXIT_TRANSITION_MS = 400

interface ShownDialog {
  readonly dialog: OpenDialog
  readonly open: boolean
}

/** The open dialogs, and the closed dialogs whose exit transition runs. A dialog stays mounted from the one to the other. */
function useExitTransition(stack: readonly OpenDialog[]): readonly ShownDialog[] {
  const [known, setKnown] = useState(stack)
  const isOpen = ({ key }: OpenDialog) => stack.some((dialog) => dialog.key === key)
  const added = stack.filter(({ key }) => !known.some((dialog) => dialog.key === key))
  if (added.length > 0) setKnown([...known, ...added])
  const closed = known.filter((dialog) => !isOpen(dialog))
  const closedKeys = closed.map(({ key }) => key).join()
  useEffect(() => {
    if (!closedKeys) return
    const keys = new Set(closedKeys.split(',').map(Number))
    setTimeout(
      () => setKnown((current) => current.filter(({ key }) => !keys.has(key))),
      EXIT_TRANSITION_MS,
    )
  }, [closedKeys])
  const open = stack.map((dialog) => ({ dialog, open: true }))
  const closing = closed.map((dialog) => ({ dialog, open: false }))
  return [...open, ...closing].sort((a, b) => a.dialog.key - b.dialog.key)
}
