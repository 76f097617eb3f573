import { useState } from 'react'
import { GearSixIcon } from '@phosphor-icons/react/dist/csr/GearSix'
import { Button, Dialog, IconButton, Select, Switch, type ButtonVariant } from '@duet/ui'
import { useBackEntry } from '../../shared/navigation/back-entries.ts'
import { t } from '../../shared/i18n.ts'
import type { DeviceKind, DeviceOption } from '@duet/call-engine'
import { OwnPicture } from './own-picture.tsx'
import { useDeviceGate } from './device-context.tsx'
import { useLocalMedia, useMediaDevices } from '../../shared/video/local-media.tsx'
import { changeCallChoices, useCallChoices } from '../../shared/video/call-choices.ts'
import { CheckTags } from './check-tags.tsx'
import { useLevel } from './device-checks.ts'

/** The settings of camera and microphone. A gear opens this dialog on every screen with the own picture. */
export function DeviceButton({
  variant = 'outline',
  size = 44,
}: {
  variant?: ButtonVariant
  size?: 44 | 54
}) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label={t('video.devices.title')}
        icon={<GearSixIcon size={20} />}
        variant={variant}
        size={size}
        onClick={() => setOpen(true)}
      />
      <DeviceDialog open={open} onClose={() => setOpen(false)} />
    </>
  )
}

export function DeviceDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  useBackEntry(open, onClose)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('video.devices.title')}
      description={t('video.devices.mirror')}
      closeLabel={t('action.close')}
      actions={
        <Button variant="primary" size={54} wide onClick={onClose}>
          {t('video.devices.done')}
        </Button>
      }
    >
      {open ? <DeviceCheck /> : null}
    </Dialog>
  )
}

function DeviceCheck() {
  const media = useMediaDevices()
  const { status, video_track, audio_track } = useLocalMedia()
  const level = useLevel(true)
  return (
    <div className="flex flex-col gap-4">
      <div className="relative aspect-video overflow-hidden rounded-media bg-surface-2">
        <OwnPicture />
        {video_track || audio_track ? <CheckTags level={level} /> : null}
      </div>
      {status === 'on' ? (
        <>
          <div
            role="meter"
            aria-label={t('video.devices.level')}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(level * 100)}
            className="h-2 overflow-hidden rounded-full bg-surface-4"
          >
            <span
              className="block h-full rounded-full bg-ok"
              style={{ width: `${level * 100}%` }}
            />
          </div>
          <DevicePickers />
        </>
      ) : (
        <div className="flex flex-col items-start gap-3">
          <p className="body text-text-2">{t('video.devices.off')}</p>
          <Button busy={status === 'asking'} onClick={() => void media.acquire({ want: 'both' })}>
            {t('video.idle.turn_on')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The choice of camera and microphone, and how the own picture is shown. */
export function DevicePickers() {
  const gate = useDeviceGate()
  const { cameras, microphones, camera_id, microphone_id } = useLocalMedia()
  const { mirrored } = useCallChoices()
  return (
    <>
      <Picker
        kind="camera"
        options={cameras}
        value={camera_id}
        onChange={(id) => void gate.chooseDevice('camera', id)}
      />
      <Picker
        kind="microphone"
        options={microphones}
        value={microphone_id}
        onChange={(id) => void gate.chooseDevice('microphone', id)}
      />
      <Switch
        checked={mirrored}
        onChange={(on) => changeCallChoices({ mirrored: on })}
        label={t('video.devices.mirrored')}
        help={t('video.devices.mirrored_help')}
      />
    </>
  )
}

/** A button for each camera or microphone, for a user whose device was lost. */
export function DeviceButtons({ kind }: { kind: DeviceKind }) {
  const gate = useDeviceGate()
  const { cameras, microphones } = useLocalMedia()
  const named = nameDevices(kind, kind === 'camera' ? cameras : microphones)
  return named.map(({ value, label }) => (
    <Button
      key={value}
      size={44}
      wide
      className="mt-2"
      onClick={() => void gate.chooseDevice(kind, value)}
    >
      {label}
    </Button>
  ))
}

interface PickerProps {
  kind: DeviceKind
  options: readonly DeviceOption[]
  value: string | null
  onChange: (deviceId: string) => void
}

function Picker({ kind, options, value, onChange }: PickerProps) {
  return (
    <Select
      label={t(`video.devices.${kind}`)}
      options={nameDevices(kind, options)}
      value={value}
      onChange={onChange}
    />
  )
}

/** The browser tells the name of a device only after the user allowed the device once. */
function nameDevices(kind: DeviceKind, options: readonly DeviceOption[]) {
  const name = t(`video.devices.${kind}`)
  return options.map(({ device_id, label }, index) => ({
    value: device_id,
    label: label || t('video.devices.unnamed', { kind: name, number: index + 1 }),
  }))
}
