import { Suspense, useDeferredValue, useEffect, useRef, useState, type ComponentType } from 'react'
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

function DialogScreen({ dialog, open }: { dialog: OpenDialog; open: boolean }) {
  const Screen = screens[dialog.name]
  return (
    <Screen
      input={dialog.input}
      open={open}
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

/** The open dialogs, and the closed dialogs whose exit transition runs. */
function useExitTransition(stack: readonly OpenDialog[]): readonly ShownDialog[] {
  const [exiting, setExiting] = useState<readonly OpenDialog[]>([])
  const previous = useRef(stack)
  useEffect(() => {
    const closed = previous.current.filter(({ key }) => !stack.some((open) => open.key === key))
    previous.current = stack
    if (closed.length === 0) return
    setExiting((current) => [...current, ...closed])
    setTimeout(
      () => setExiting((current) => current.filter((dialog) => !closed.includes(dialog))),
      EXIT_TRANSITION_MS,
    )
  }, [stack])
  const open = stack.map((dialog) => ({ dialog, open: true }))
  const closing = exiting
    .filter(({ key }) => !stack.some((dialog) => dialog.key === key))
    .map((dialog) => ({ dialog, open: false }))
  return [...open, ...closing].sort((a, b) => a.dialog.key - b.dialog.key)
}
