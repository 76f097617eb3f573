import { useState } from 'react'
import { DotsThreeVerticalIcon } from '@phosphor-icons/react/dist/csr/DotsThreeVertical'
import { FlagIcon } from '@phosphor-icons/react/dist/csr/Flag'
import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { TrashIcon } from '@phosphor-icons/react/dist/csr/Trash'
import { Mark } from '../src/brand/mark.tsx'
import { Button } from '../src/controls/button.tsx'
import { IconButton } from '../src/controls/icon-button.tsx'
import { Field } from '../src/fields/field.tsx'
import { CountdownConfirm } from '../src/overlays/countdown-confirm.tsx'
import { Dialog } from '../src/overlays/dialog.tsx'
import { Menu } from '../src/overlays/menu.tsx'
import { Popover } from '../src/overlays/popover.tsx'
import type { Toasts } from '../src/overlays/toast.tsx'
import { Tooltip } from '../src/overlays/tooltip.tsx'
import { Avatar } from '../src/people/avatar.tsx'
import { Exhibit } from './exhibit.tsx'

type Shown = 'dialog' | 'wide' | 'story' | 'blocking' | 'confirm' | null

export function Overlays({ toasts }: { toasts: Toasts }) {
  const [shown, show] = useState<Shown>(null)
  const close = () => show(null)
  const liked = () =>
    toasts.show({
      title: 'Lena liked you',
      text: 'You can write to her now',
      icon: <Avatar name="Lena" size={40} />,
      action: { label: 'Write', onPress: () => undefined },
    })
  return (
    <Exhibit title="Overlays">
      <Button onClick={() => show('dialog')}>Dialog 480</Button>
      <Button onClick={() => show('wide')}>Dialog 640</Button>
      <Button onClick={() => show('story')}>Dialog 992</Button>
      <Button onClick={() => show('blocking')}>Blocking</Button>
      <Button variant="danger-quiet" onClick={() => show('confirm')}>
        Countdown
      </Button>
      <Button onClick={liked}>Toast</Button>
      <Button
        onClick={() =>
          toasts.show({ kind: 'success', title: 'Payment received', text: '45 minutes added' })
        }
      >
        Success
      </Button>
      <Button
        onClick={() =>
          toasts.show({ kind: 'error', title: "We couldn't save this photo", text: 'Try again.' })
        }
      >
        Error
      </Button>
      <Menu
        trigger={
          <IconButton label="More" icon={<DotsThreeVerticalIcon size={20} weight="bold" />} />
        }
        entries={[
          { label: 'Favourite', icon: <HeartIcon size={18} />, onSelect: close, chosen: true },
          { label: 'Report', icon: <FlagIcon size={18} />, onSelect: close },
          'line',
          { label: 'Delete', icon: <TrashIcon size={18} />, onSelect: close, danger: true },
        ]}
      />
      <Popover
        trigger={<Button variant="outline">Popover</Button>}
        title="A quiet moment?"
        className="w-72"
      >
        <p className="note text-text-2">A small gift is an easy way to say you're enjoying this.</p>
      </Popover>
      <Tooltip label="Favourite" keys="L">
        <IconButton label="Favourite" icon={<HeartIcon size={20} />} />
      </Tooltip>
      <Dialogs shown={shown} close={close} />
    </Exhibit>
  )
}

function Dialogs({ shown, close }: { shown: Shown; close: () => void }) {
  const answer = (
    <>
      <Button onClick={close}>Not now</Button>
      <Button variant="primary" onClick={close}>
        Continue
      </Button>
    </>
  )
  const story = (
    <div className="scene-glow flex h-full items-end p-8 display-m">
      Sofia and you talked for 12 minutes
    </div>
  )
  return (
    <>
      <Dialog
        open={shown === 'dialog' || shown === 'wide'}
        size={shown === 'wide' ? 640 : 480}
        onClose={close}
        closeLabel="Close"
        title="Tell us what happened"
        description="We attach two frames from this chat."
        actions={answer}
      >
        <Field label="Comment" />
      </Dialog>
      <Dialog
        open={shown === 'story'}
        size={992}
        onClose={close}
        closeLabel="Close"
        title="Keep talking"
        aside={story}
        actions={answer}
      >
        <p className="body">Packs, one above the other.</p>
      </Dialog>
      <Dialog
        open={shown === 'blocking'}
        blocking
        align="center"
        emblem={<Mark size={56} />}
        title="Before you say hello"
        description="Two quick things."
        actions={
          <Button wide size={54} variant="primary" onClick={close}>
            Continue
          </Button>
        }
      />
      <CountdownConfirm
        open={shown === 'confirm'}
        seconds={3}
        title="Delete this conversation?"
        description="Both of you lose it. There is no way back."
        keep={{ label: 'Keep it', onPress: close }}
        confirm={{ label: 'Delete', waiting: (seconds) => `Delete in ${seconds}`, onPress: close }}
        ready="You can delete it now"
      />
    </>
  )
}
