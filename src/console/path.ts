/** What all addresses of the console begin with. */
export const consolePath = '/console';
