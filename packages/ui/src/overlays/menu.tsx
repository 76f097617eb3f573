import type { ReactElement, ReactNode } from 'react'
import { ContextMenu } from '@base-ui/react/context-menu'
import { Menu as BaseMenu } from '@base-ui/react/menu'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { cx } from '../class-names.ts'
import { popupLook, rowLook } from './popup-look.ts'

export type MenuEntry =
  | {
      label: ReactNode
      icon?: ReactNode
      onSelect: () => void
      danger?: boolean
      disabled?: boolean
      /** A tick at the end marks the current choice. */
      chosen?: boolean
    }
  | 'line'

export interface MenuProps {
  /** The button that opens it, with its own name for screen readers. */
  trigger: ReactElement
  entries: MenuEntry[]
  /** Above the rows: the owner of the menu. */
  header?: ReactNode
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'inline-start' | 'inline-end'
}

/** Actions that do not deserve a button each. */
export function Menu({ trigger, entries, header, align = 'end', side = 'bottom' }: MenuProps) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} />
      <MenuPopup align={align} side={side}>
        {header ? <div className="note px-3 py-2 text-text-2">{header}</div> : null}
        <MenuRows entries={entries} />
      </MenuPopup>
    </BaseMenu.Root>
  )
}

export interface PressMenuProps {
  /** The element that is pressed. */
  area: ReactElement
  entries: MenuEntry[]
  /** A long press has its usual effect. */
  disabled?: boolean
}

/** A menu that a long press on an area opens, and the menu key of a keyboard while the area has the focus. */
export function PressMenu({ area, entries, disabled }: PressMenuProps) {
  return (
    <ContextMenu.Root disabled={disabled}>
      <ContextMenu.Trigger render={area} />
      <MenuPopup align="start">
        <MenuRows entries={entries} />
      </MenuPopup>
    </ContextMenu.Root>
  )
}

function MenuPopup({
  children,
  ...place
}: Pick<MenuProps, 'align' | 'side'> & { children: ReactNode }) {
  return (
    <BaseMenu.Portal>
      <BaseMenu.Positioner {...place} sideOffset={8} className="z-popup outline-none">
        <BaseMenu.Popup
          className={cx(popupLook, 'max-h-(--available-height) min-w-52 overflow-y-auto p-1.5')}
        >
          {children}
        </BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  )
}

function MenuRows({ entries }: { entries: MenuEntry[] }) {
  return entries.map((entry, index) =>
    entry === 'line' ? (
      <BaseMenu.Separator key={`line-${index}`} className="mx-3 my-1.5 h-px bg-hair-2" />
    ) : (
      <BaseMenu.Item
        key={index}
        disabled={entry.disabled}
        onClick={entry.onSelect}
        aria-current={entry.chosen || undefined}
        className={rowLook(entry.danger)}
      >
        {entry.icon}
        <span className="min-w-0 flex-1">{entry.label}</span>
        {entry.chosen ? <CheckIcon size={16} weight="bold" className="text-ember-hi" /> : null}
      </BaseMenu.Item>
    ),
  )
}
