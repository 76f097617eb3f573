import { Suspense, type ComponentType } from 'react'
import {
  modals,
  useModalStack,
  type ModalName,
  type ModalProps,
  type OpenModal,
} from '../../lib/modals.ts'
import { useBackCloses } from './back-closes.ts'
import { registry } from './registry.ts'
import { useGone } from './use-gone.ts'

/** Every dialog that is open, in the order in which they were opened. */
export function ModalHost() {
  const stack = useModalStack()
  useBackCloses(stack.at(-1)?.key)
  const shown = useGone(stack)
  return (
    <Suspense fallback={null}>
      {shown.map(({ modal, open }) => (
        <One key={modal.key} modal={modal} open={open} />
      ))}
    </Suspense>
  )
}

function One({ modal, open }: { modal: OpenModal; open: boolean }) {
  const Modal = registry[modal.name] as ComponentType<ModalProps<ModalName>>
  return (
    <Modal given={modal.given} open={open} close={(answer) => modals.close(modal.key, answer)} />
  )
}
