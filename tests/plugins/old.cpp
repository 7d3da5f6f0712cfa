// A plug-in for another version of the interface.

extern "C" const char* aotscopePluginInterface() { return "aotscope compilers 0, LibTorch 1.0.0"; }
extern "C" const void* aotscopeCompilerPlugin() { return nullptr; }
