/** All that the services of statistics ever learn: that a public or a private call began. */
export const GOALS = ['random_video_chat', 'direct_call'] as const
export type Goal = (typeof GOALS)[number]
