import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { UserId } from '../../core/ids.ts'
import { perApp } from '../../core/app-state.ts'
import type { Activity, Presence } from './presence-port.ts'

/** The presence of one process. */
export function createMemoryPresence(): Presence {
  const roles = new Map<UserId, Role>()
  /** Without the users who are `free`. */
  const activities = new Map<UserId, Activity>()
  const listed = new Set<UserId>()
  let girls = 0
  const getActivity = (user_id: UserId) => activities.get(user_id) ?? 'free'
  return {
    setOnline(user_id, role) {
      if (roles.has(user_id)) return false
      roles.set(user_id, role)
      if (role === 'girl') girls += 1
      return true
    },
    setOffline(user_id) {
      // Matchmaking has it in a row and reports it again when the user connects.
      if (getActivity(user_id) === 'break') activities.delete(user_id)
      if (roles.get(user_id) === 'girl') girls -= 1
      listed.delete(user_id)
      return roles.delete(user_id)
    },
    setListed(user_id, isListed) {
      if (isListed && roles.has(user_id)) listed.add(user_id)
      else listed.delete(user_id)
    },
    setActivity(user_id, activity) {
      if (getActivity(user_id) === activity) return false
      if (activity === 'free') activities.delete(user_id)
      else activities.set(user_id, activity)
      return true
    },
    getActivity,
    onlineRole: (user_id) => roles.get(user_id),
    async findOnline(ids) {
      const online = ids.filter((id) => roles.has(id))
      return new Map(online.map((id) => [id, getActivity(id)]))
    },
    girlsOnline: async () => listed.size,
    onlineFigures: async () => ({
      guys: roles.size - girls,
      girls,
      searching: [...activities.values()].filter((activity) => activity === 'searching').length,
    }),
  }
}

export const presenceOf = perApp(
  'presence: users',
  'who is online and what they are doing; rebuilt as sockets connect and calls are recovered',
  createMemoryPresence,
)
