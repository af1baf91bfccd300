use zed_extension_api as zed;

struct SgfLark;

impl zed::Extension for SgfLark {
    fn new() -> Self {
        SgfLark
    }

    fn language_server_command(
        &mut self,
        _id: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        Ok(zed::Command {
            command: worktree.which("sgf-lark").ok_or("sgf-lark is not on the PATH")?,
            args: vec!["server".into()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(SgfLark);
